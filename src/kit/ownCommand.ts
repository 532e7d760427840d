/** How people call this project's commands, in a checkout. The package has a command of its own: `scripts/package/` says so. */
export const ownCommand = {
  process: 'main.ts',
  serve: 'npm start',
  name: 'cli',
  cli: 'npm run cli --',
  simulate: 'npm run simulate --',
}
