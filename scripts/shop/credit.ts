import { inTransaction } from '../../src/kit/database.server.ts'
import { Failure } from '../../src/kit/failure.ts'
import { DECIMAL, toCents, toDecimal } from '../../src/kit/money.ts'
import { giveCredit, readSpendable } from '../../src/payments/credit.server.ts'
import { command } from './command.ts'
import { withDatabase } from './connection.ts'
import { needUser } from './user.ts'

const MOST_CENTS = 1000_00

export const creditCommand = command({
  name: 'credit give',
  usage: '<email> <amount> --why "..."',
  about: 'Gives store credit; the customer sees the reason',
  options: { why: { type: 'string' } },
  run: async (terminal, values, [email = '', amount = '']) => {
    const why = values.why?.trim()
    if (!why || why.length > 500)
      throw new Failure(400, '--why: give a reason of at most 500 characters; the customer sees it.')
    const amountCents = DECIMAL.test(amount) ? toCents(amount) : 0
    if (amountCents === 0 || amountCents > MOST_CENTS)
      throw new Failure(400, `<amount>: give dollars and cents up to ${toDecimal(MOST_CENTS)}, such as 5.00.`)
    await withDatabase(terminal.readConfig(), async ({ db }) => {
      const user = await needUser(db, email)
      await inTransaction(db, (tx) => giveCredit(tx, { userId: user.id, amountCents, why }))
      const spendable = toDecimal(await readSpendable(db, user.id))
      terminal.say(`${user.email} has $${toDecimal(amountCents)} more, and can spend $${spendable}.`)
    })
  },
})
