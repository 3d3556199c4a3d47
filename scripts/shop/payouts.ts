import { Failure } from '../../src/kit/failure.ts'
import { isUuid } from '../../src/kit/uuid.ts'
import { usd } from '../../src/localisation/usd.rules.ts'
import { hurryBatches } from '../../src/payments/payouts/batches.store.server.ts'
import { listOpenPayouts } from '../../src/payments/payouts/payouts.store.server.ts'
import { command, type Command } from './command.ts'
import { addressOf, countNodes, withDatabase } from './connection.ts'

const MAX = 100

const list = command({
  name: 'payouts',
  about: `Lists payouts that are not over, the oldest first, ${MAX} at most`,
  run: async (terminal) => {
    const config = terminal.readConfig()
    await withDatabase(config, async ({ db }) => {
      const rows = await listOpenPayouts(db, MAX)
      if (rows.length === 0) return terminal.print('No payout is open.')
      for (const { id, state, amountCents, email, createdAt, batchId, problem } of rows) {
        const where = batchId ? `  batch ${batchId}${problem ? ` (${problem})` : ''}` : ''
        terminal.print(
          `${id}  ${createdAt.toISOString().slice(0, 10)}  ${state}  ${usd(amountCents)}  ${email}${where}`,
        )
      }
      terminal.print(`Staff with the finance role approve them at ${addressOf(config)}/admin/payouts.`)
    })
  },
})

const retry = command({
  name: 'payouts retry',
  usage: '<batch id>',
  places: 1,
  about: 'Sends or reads one batch again now; a batch that the provider has is not sent twice',
  run: (terminal, _, [id = '']) => {
    if (!isUuid(id)) throw new Failure(400, '<batch id>: give a batch that `payouts` lists.')
    return hurry(terminal, id)
  },
})

const reconcile = command({
  name: 'payouts reconcile',
  about: 'Asks the provider now about every batch that is not over',
  run: (terminal) => hurry(terminal, null),
})

async function hurry(terminal: Parameters<Command['run']>[0], id: string | null) {
  await withDatabase(terminal.readConfig(), async ({ db, pool }) => {
    const count = await hurryBatches(db, id)
    if (count === 0 && id) throw new Failure(404, `There is no open batch ${id} at a provider.`)
    if (count === 0) return terminal.print('No batch is open.')
    const isShopWorking = (await countNodes(pool, 'working')) > 0
    const when = isShopWorking ? 'The shop asks the provider now.' : 'No shop is running: its next start asks.'
    terminal.print(`${count} ${count === 1 ? 'batch' : 'batches'}. ${when}`)
  })
}

// `payouts` comes last, because it also matches the start of the other names.
export const payoutCommands: Command[] = [retry, reconcile, list]
