/** Where a process starts: `serve`, `worker` or `sandbox`. What it imports statically is loaded before `loading.js` can help. */
import './loading.js'

await import('./process.ts')
