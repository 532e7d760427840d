import { Refusal } from '../kit/refusal.ts'
import { type AddCommands, command, type Output, print } from './shell.ts'

export const addUpkeep: AddCommands = (program, { administer, migrate, keepPartitions }) => {
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

  command(
    program,
    'partitions',
    'creates and drops partitions, for a service whose database user may not: run it every hour as the owner of the tables',
  ).action(async (options: Output) => {
    const {
      partitionsMade: made,
      partitionsDropped: dropped,
      partitionsEmptied: emptied,
      partitionsHeld: held,
    } = await keepPartitions()
    if (held > 0)
      throw new Refusal(
        `${held} of the tables were in use, or could not be changed. Run it again; the next hour does, too.`,
      )
    print(options, { made, dropped, emptied }, `Made ${made} partitions and dropped ${dropped}; emptied ${emptied}.`)
  })
}
