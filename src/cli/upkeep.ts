import { type AddCommands, command, type Output, print } from './shell.ts'

export const addUpkeep: AddCommands = (program, { administer, migrate }) => {
  command(program, 'forget', 'erases everything about one phone, in every account')
    .requiredOption('--phone <number>', 'in E.164 form: +14155550100')
    .action((options: Output & { phone: string }) =>
      administer(async (admin) => {
        const { messages, sandboxMessages, phoneStates } = await admin.forget(options.phone)
        const json = { messages, sandbox_messages: sandboxMessages, phone_states: phoneStates }
        print(
          options,
          json,
          `Erased ${messages} messages with their timelines, ${sandboxMessages} sandbox texts, and the limits and codes of ` +
            `${phoneStates} accounts and modes.`,
        )
      }),
    )

  command(program, 'migrate', 'updates the database to this version; serve and worker do that too').action(
    async (options: Output) => {
      await migrate()
      print(options, { migrated: true }, 'The database is at this version.')
    },
  )
}
