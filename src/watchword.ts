/** The command of the package: `serve`, `worker`, `sandbox` and `simulate` are processes, all else is the operator's. */
import './nodeVersion.js'

const processes = {
  serve: 'the API, the dashboard and the worker; WORKER=off leaves the worker out',
  worker: 'sends messages and events, next to processes that serve',
  sandbox: 'the API with test keys only, in memory: for developers who build with it',
  simulate: 'WhatsApp, Telegram and SMS providers on this machine, for trials of channels',
}

const [word = 'help'] = process.argv.slice(2)
if (Object.hasOwn(processes, word)) await import('./main.ts')
else {
  if (['help', '--help', '-h'].includes(word) && process.argv.length <= 3) {
    const lines = Object.entries(processes).map(([name, does]) => `  watchword ${name.padEnd(9)} ${does}`)
    process.stdout.write(
      `Processes, which run until they are stopped (settings come from the environment):\n${lines.join('\n')}\n\n`,
    )
  }
  await import('./cli.ts')
}
