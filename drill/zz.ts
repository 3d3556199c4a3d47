import { runSeeded, type Seeded } from './seeded.ts'
const I = 'src/orders/invoices/invoices.test.ts'
const C = 'src/payments/ledger/check.test.ts'
const store = 'src/orders/invoices/invoices.store.server.ts'
const check = 'src/payments/ledger/check.server.ts'
const m = (defect: string, file: string, from: string, to: string, test: string, name: string): Seeded => ({ defect, file, edits: [[from, to]], test, name })
const list = [
  m('correct a refunded invoice', store, 'return invoice !== undefined && !all.some(({ invoiceId }) => invoiceId === invoice.id)', 'return invoice !== undefined', I, 'documents each refund'),
  m('invoice of another buyer', store, 'if (!order || order.userId !== userId)', 'if (!order)', I, 'refuses orders'),
  m('clock goes back', store, 'greatest(s.last_at, c.moment)', 'c.moment', I, 'starts a series'),
  m('issued twice', store, 'return currentOf(await invoicesOf(tx, orderId)) ?? insertFirst(tx, config, order)', 'return insertFirst(tx, config, order)', I, 'issues one invoice'),
  m('number outside of the transaction', store, '.execute(tx)\n  return rows[0]!', '.execute(tx)\n  await sql`COMMIT AND CHAIN`.execute(tx)\n  return rows[0]!', I, 'gives 50 numbers'),
  m('lines outside of marks', 'src/kit/pdf/paper.server.ts', "pdf.markContent('Artifact', { type })\n    drawing()\n    pdf.endMarkedContent()", 'drawing()', I, 'sets 200 lines'),
  m('TH without scope', 'src/kit/pdf/paper.server.ts', "{ scope: 'Column' }", '{}', I, 'sets 200 lines'),
  m('never mended', check, 'UPDATE ledger_breaches b SET ended_at = now() WHERE ended_at IS NULL', 'UPDATE ledger_breaches b SET ended_at = now() WHERE false', C, 'tells of a breach of INV7'),
  m('parts not looked at', check, 'const end = boundOf(part + 1)', 'const end = boundOf(part)', C, 'tells of a breach of INV7'),
  m('changes not looked at', check, '[event, entry])', '[2 ** 40, 2 ** 40])', C, 'looks at once'),
  m('broken not looked at', check, 'WHERE scope = $1 AND ended_at IS NULL', 'WHERE scope = $1 AND false', C, 'tells of a breach of INV7'),
  m('nobody is told', check, 'if (added.length > 0) await mailStaff', 'if (added.length > 99) await mailStaff', C, 'tells of a breach of INV7'),
  m('midnight', 'src/payments/ledger/reconcile.rules.ts', '[...lines, ...around]', '[...lines]', 'src/payments/ledger/reconcile.rules.test.ts', 'finds a payment of midnight'),
  m('report without refunds', 'src/payments/paypal/report.server.ts', "return isOut ? 'refund' : null", 'return null', 'scripts/shop/ledger.test.ts', 'prints balances'),
]
console.log(JSON.stringify(await runSeeded(list), null, 1))
