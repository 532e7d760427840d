/** The command line of a tool for developers, the same for all of them. */
import { Command } from 'commander'

/**
 * `--help` is printed to stdout and ends the process with 0. A wrong command line ends it with 2: stderr gets what is wrong
 * and the help, which lists the options.
 *
 * @param script its name in `package.json`
 * @param about one sentence
 */
export function createCommand(script: string, about: string): Command {
  return new Command(`npm run ${script} --`)
    .description(about)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
}
