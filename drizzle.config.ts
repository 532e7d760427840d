import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: ['./src/store/schema.ts', './src/store/requestSchema.ts', './src/store/userSchema.ts'],
  out: './src/store/migrations',
})
