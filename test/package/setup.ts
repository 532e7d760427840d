/** What tests of the package run on: its command, and a database that the command has prepared. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { provideDatabases } from '../support/globalSetup.ts'
import { installPackage } from '../support/installedPackage.ts'

export default async function setup(project: TestProject) {
  const { remove, ...installed } = await installPackage()
  if (!installed.isApart)
    process.stdout.write('not run as another user on a read-only file system: that needs root, unshare and setpriv\n')
  project.provide('installed', installed)
  const stop = await provideDatabases(project, (url) =>
    promisify(execFile)(installed.command, ['migrate'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url, WATCHWORD_SECRET: 'a secret for tests of enough characters' },
    }),
  )
  return async () => {
    await stop()
    await remove()
  }
}
