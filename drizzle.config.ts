import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['schema', 'requestSchema', 'eventSchema', 'userSchema'].map((name) => `./src/store/${name}.ts`),
  out: './src/store/migrations',
})
