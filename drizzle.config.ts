import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    'schema',
    'connectionSchema',
    'templateSchema',
    'requestSchema',
    'eventSchema',
    'userSchema',
    'inletSchema',
    'protectionSchema',
  ].map((name) => `./src/store/schema/${name}.ts`),
  out: './src/store/migrations',
})
