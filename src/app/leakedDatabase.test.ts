import { expect, test } from 'vitest'
import { buy } from '../../test/buy.ts'
import { addProduct } from '../../test/goods.ts'
import { mailedLink } from '../../test/mail.ts'
import { openShopForTests, type Person } from '../../test/shop.ts'
import { appOf } from '../../test/totp.ts'
import { revealCodes } from '../delivery/codes/codes.contract.ts'
import { grantDownload } from '../delivery/files/files.contract.ts'
import { requestVerification } from '../identity/accounts/account.contract.ts'
import { requestDeletion } from '../identity/accounts/deletion.contract.ts'
import { changeEmail } from '../identity/email/emailChange.contract.ts'
import { beginSecondFactor, confirmSecondFactor } from '../identity/second-factor/secondFactor.contract.ts'
import { createUpload } from '../uploads/uploads.contract.ts'
import { requestExport } from '../account/data/export.contract.ts'

// An attacker reads every row at the worst moment: with queued mails and unfinished sign-ins. No row may grant access.

const open = openShopForTests()
const CODES = ['GIFT-7Q2M-XK4T', 'GIFT-9P3N-ZL5V']

/** The secrets of a person who is signed in or signing in. */
async function secretsOf(ada: Person): Promise<Record<string, string>> {
  const { shop } = open
  const password = `correct horse ${/\d+/.exec(ada.email)![0]}`
  const post = (path: string, form: Record<string, string>, cookie = '') =>
    fetch(shop.url + path, { method: 'POST', body: new URLSearchParams(form), headers: { cookie }, redirect: 'manual' })
  const cookieIn = (response: Response, name: string) =>
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith(`${name}=`))!
      .split(/[=;]/)[1]!
  const tokenTo = async (email: string, subject: string) =>
    (await mailedLink(shop, email, subject)).searchParams.get('token')!

  const { key } = await ada.call(beginSecondFactor, { password })
  const app = appOf(key)
  const { recoveryCodes } = await ada.call(confirmSecondFactor, { code: app(0) })
  const waiting = await post('/api/login/password', { email: ada.email, password })
  const challenge = cookieIn(waiting, 'primo-sign-in')
  await shop.database.pool.query('UPDATE second_factors SET last_step = 0')
  const signedIn = await post('/api/login/code', { code: app(0), remember: '1' }, `primo-sign-in=${challenge}`)
  const again = await post('/api/login/password', { email: ada.email, password })
  const began = await post('/api/login/sign-up', { email: 'new@shop.example' })
  await post('/api/login/forgot', { email: ada.email })
  const reset = await tokenTo(ada.email, 'Choose a new password')
  await ada.call(changeEmail, { email: 'next@shop.example' })
  await ada.call(requestDeletion, {})
  await shop.database.db.updateTable('users').set({ emailVerified: false }).where('id', '=', ada.id).execute()
  await ada.call(requestVerification, {})
  const ceremony = await fetch(`${shop.url}/api/account/passkeys/options`, {
    method: 'POST',
    headers: { cookie: ada.cookie },
  })

  const [file, cards] = [await addProduct(shop), await addProduct(shop, { codes: CODES })]
  const [book, card] = [await buy(shop, ada, file), await buy(shop, ada, cards)]
  const download = await ada.call(grantDownload, { id: book.id, lineId: book.lines[0]!.id })
  const { codes } = await ada.call(revealCodes, { id: card.id, lineId: card.lines[0]!.id })
  const { url: exported } = await ada.call(requestExport, {})
  const { uploadURL } = await ada.call(createUpload, {})
  const signatureIn = (url: string) => new URL(url, shop.url).searchParams.get('signature')!
  const sessionIn = (cookie: string) => decodeURIComponent(cookie).split('.')[0]!

  return {
    password,
    'a session': sessionIn(ada.cookie.split('=')[1]!),
    'a session by form': sessionIn(cookieIn(signedIn, 'primo')),
    'a half-done sign-in': cookieIn(again, 'primo-sign-in'),
    'a remembered device': cookieIn(signedIn, 'primo-trusted'),
    'the browser of a sign-up': cookieIn(began, 'primo-sign-up').split('.')[1]!,
    'the challenge of a passkey': cookieIn(ceremony, 'primo-passkey'),
    'the key of an app': key,
    'a recovery code': recoveryCodes[0]!,
    'a recovery code without dashes': recoveryCodes[0]!.replaceAll('-', ''),
    'a link to reset': reset,
    'a link to sign up': await tokenTo('new@shop.example', 'Confirm your email address'),
    'a link to change the address': await tokenTo('next@shop.example', 'Confirm your new email address'),
    'a link to verify': await tokenTo(ada.email, 'Verify your email address'),
    'a link to delete': await tokenTo(ada.email, 'Delete your account?'),
    'a gift code': codes[0]!.code,
    'a download': signatureIn(download.url),
    'an export': signatureIn(exported),
    'an upload': signatureIn(uploadURL),
  }
}

test('stores nothing in the database that grants access to its reader', async () => {
  const ada = await open.shop.join()
  const secrets = await secretsOf(ada)
  for (const [name, secret] of Object.entries(secrets)) expect(secret.length, name).toBeGreaterThan(7)
  const { pool } = open.shop.database
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(40)
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)
    const all = rows.map(({ text }) => text).join('\n')
    const found = Object.keys(secrets).filter((what) => all.includes(secrets[what]!))
    expect([name, found]).toEqual([name, []])
  }
})
