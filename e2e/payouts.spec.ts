import { runSql } from './database.ts'
import { expect, openStaff, register, test } from './shop.ts'

/** Adds money to the balance of a member, as if sales of last week had been released. */
const earn = (email: string, cents: number) =>
  runSql(
    `INSERT INTO ledger_entries (transfer_id, account, amount_cents)
     SELECT u.id, entry.account, entry.cents FROM users u,
       LATERAL (VALUES ('seller:' || u.id, -$2::bigint), ('promotion:goodwill', $2::bigint)) entry (account, cents)
     WHERE u.email = $1`,
    [email, cents],
  )

/** Ends the waiting period of payouts after a change of details. */
const passWait = (email: string) =>
  runSql('UPDATE payout_details SET waits_until = NULL WHERE user_id = (SELECT id FROM users WHERE email = $1)', [
    email,
  ])

test('a seller requests a payout, staff pay it, and the seller sees it', async ({ page, browser, faults }) => {
  const { email } = await register(page, 'Ada')
  await earn(email, 30_780)
  await page.goto('/balance')
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance.getByText('We don’t know where to send it.')).toBeVisible()
  await page.getByRole('button', { name: 'Add payout details' }).click()
  const dialog = page.getByRole('dialog', { name: 'Payout details' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter an email address')).toBeVisible()
  await dialog.getByLabel('Email of your PayPal account').fill('ada@mail.example')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Your PayPal account ad…@mail.example')).toBeVisible()
  await expect(balance.getByText('For safety, payouts wait 24 hours.')).toBeVisible()
  await passWait(email)
  await page.reload()
  await page.getByRole('button', { name: 'Request it now' }).click()
  await expect(balance.getByText(/^By /)).toBeVisible()
  await expect(page.getByText('Waiting', { exact: true })).toBeVisible()

  const staff = await openStaff(browser)
  await staff.goto('/admin/payouts')
  await staff.getByRole('checkbox', { name: new RegExp(email) }).check()
  await staff.getByRole('button', { name: 'Approve 1' }).click()
  await expect(staff.getByText('1 approved').first()).toBeVisible()
  await staff.getByRole('button', { name: 'Batches' }).click()
  await expect(staff.getByText('1 payout, $307.80').first()).toBeVisible()
  await expect(async () => {
    await page.reload()
    await expect(page.getByText('Paid', { exact: true })).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expect(page.getByRole('row').filter({ hasText: '−$307.80' })).toContainText('Payout')
  expect(faults).toEqual([])
  await staff.context().close()
})
