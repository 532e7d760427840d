/** Where a process starts: `serve`, `worker`, `sandbox` or `simulate`. What it imports statically is loaded before `loading.js` can help. */
import './loading.js'

if (process.argv[2] === 'simulate') await import('./simulator/simulate.ts')
else await import('./process/process.ts')
