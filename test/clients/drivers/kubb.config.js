/** What kubb has no command line option for. Its own client would take a refusal for an answer: `kubb.client.ts` does not. */
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: '../openapi.json' },
  output: { path: 'generated', extension: { '.ts': '.ts' }, format: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types' } }),
    pluginClient({ output: { path: 'calls' }, importPath: '../../kubb.client.ts', dataReturnType: 'full' }),
  ],
})
