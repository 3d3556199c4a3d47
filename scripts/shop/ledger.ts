import { Failure } from '../../src/kit/failure.ts'
import { signedUsd } from '../../src/localisation/usd.rules.ts'
import { readBalances, type ReadBalancesRow } from '../../src/audit/breaches.statements.server.ts'
import { findAllViolations, RULES } from '../../src/audit/faults.server.ts'
import { addDays, describeDifference, isPastDay } from '../../src/audit/reports/reconcile.rules.ts'
import { type Reconciled, reconcileDay } from '../../src/audit/reports/reconcile.server.ts'
import { openProviders } from '../../src/providers/providers.server.ts'
import { command, type Terminal } from './command.ts'
import { addressOf, withClient, withDatabase } from './connection.ts'

export const ledgerCommand = command({
  name: 'ledger',
  usage: '[--day 2026-11-22] [--json]',
  about: "Prints each account's balance, every broken rule of the books, and a day of each provider against them",
  options: { day: { type: 'string' }, json: { type: 'boolean', default: false } },
  run: async (terminal, { day = addDays(new Date().toISOString().slice(0, 10), -1), json }) => {
    if (!isPastDay(day, Date.now()))
      throw new Failure(400, '--day: give a day that has begun in UTC, such as 2026-11-22.')
    const config = terminal.readConfig()
    const books = await withDatabase(config, async (database, { ownerUrl }) => {
      const own = await withClient(ownerUrl, async (client) => {
        // One snapshot, because a sale during the check would look like a violation.
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        const found = await findAllViolations(client)
        const breaches = found.map(({ rule, violation }) => `${rule}: ${violation}`)
        return { balances: await readBalances(client, {}), breaches }
      })
      const publicUrl = addressOf(config)
      const selfUrl = `http://127.0.0.1:${config.port}`
      const providers = await openProviders({ config, database, publicUrl, selfUrl })
      try {
        const days: Reconciled[] = []
        for (const provider of providers.list) days.push(await reconcileDay(database.pool, provider, day))
        return { ...own, day, providers: days }
      } finally {
        await providers.stop()
      }
    })
    if (json) terminal.print(JSON.stringify(books, null, 2))
    else show(terminal, books)
    const wrong = [
      books.breaches.length > 0 && count(books.breaches.length, 'broken rule'),
      ...books.providers.map((one) => problemOf(one)),
    ].filter((text) => text !== false)
    if (wrong.length > 0) throw new Failure(500, `${wrong.join(', ')}.`)
  },
})

type Books = { balances: ReadBalancesRow[]; breaches: string[]; day: string; providers: Reconciled[] }

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function problemOf(one: Reconciled): string | false {
  if (one.kind === 'unread') return `the report of ${one.provider} is not read`
  if (one.kind === 'none' || one.differences.length === 0) return false
  return `${count(one.differences.length, 'difference')} to ${one.provider}`
}

function show({ print }: Pick<Terminal, 'print'>, { balances, breaches, day, providers }: Books) {
  print('Balances (money the shop owes has a minus):')
  for (const { account, accounts, cents } of balances)
    print(
      `  ${(accounts > 1 ? `${account} (${accounts} accounts)` : account).padEnd(40)} ${signedUsd(cents).padStart(16)}`,
    )
  print(breaches.length === 0 ? `All ${count(RULES.length, 'rule')} hold.` : 'Broken rules:')
  for (const breach of breaches) print(`  ${breach}`)
  for (const one of providers) {
    if (one.kind === 'none') print(`${one.provider}: makes no report.`)
    else if (one.kind === 'unread') print(`${one.provider}, ${day}: the report is not read: ${one.why}`)
    else {
      print(`${one.provider}, ${day}: ${sumUp(one)}`)
      for (const difference of one.differences) print(`  ${describeDifference(difference)}`)
    }
  }
}

function sumUp({ lines, differences }: Extract<Reconciled, { kind: 'compared' }>): string {
  const parts = (['payment', 'refund', 'payout', 'dispute'] as const).flatMap((kind) => {
    const own = lines.filter((line) => line.kind === kind)
    return own.length > 0 ? [count(own.length, kind)] : []
  })
  const what = parts.length > 0 ? parts.join(', ') : 'nothing moved'
  return `${what}; ${differences.length === 0 ? 'no difference' : count(differences.length, 'difference')}`
}
