import { beforeAll, expect, test } from 'vitest'
import { mailedLink } from '../../../test/mail.ts'
import { openShopForTests, type Person } from '../../../test/shop.ts'
import { inTransaction } from '../../kit/database.server.ts'
import { changePassword } from '../accounts/account.contract.ts'
import { eraseAccount } from '../accounts/deletion.server.ts'
import { changeEmail } from '../email/emailChange.contract.ts'

// A trigger fails a change of password or address if a reset link of the account is still valid at commit. So each test
// passes only if the change revokes the link in the same transaction.
const GUARD = `
  CREATE FUNCTION refuse_live_resets() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM verifications WHERE identifier LIKE 'reset:%' AND value ->> 'userId' = (to_jsonb(NEW) ->> TG_ARGV[0]))
    THEN RAISE EXCEPTION 'a reset link outlives the change'; END IF;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER guard AFTER UPDATE OF password ON accounts DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_live_resets('user_id');
  CREATE CONSTRAINT TRIGGER guard AFTER UPDATE OF email ON users DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION refuse_live_resets('id');`

const open = openShopForTests()
const NEW = 'a quiet river bend'
beforeAll(() => open.shop.asOwner(GUARD))

const post = (url: string | URL, form: Record<string, string>, cookie = '') =>
  fetch(url, { method: 'POST', redirect: 'manual', headers: { cookie }, body: new URLSearchParams(form) })

async function resetLinkOf(email: string): Promise<URL> {
  await post(`${open.shop.url}/api/login/forgot`, { email })
  return mailedLink(open.shop, email)
}

const passwordOf = ({ email }: Person) => `correct horse ${/\d+/.exec(email)![0]}`

const CHANGES: [string, (ada: Person) => Promise<unknown>][] = [
  ['a password change', (ada) => ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: NEW })],
  ['another reset', async (ada) => post(await resetLinkOf(ada.email), { password: NEW })],
  [
    'an operator who sets a password',
    ({ email }) => open.shop.identity.createUser({ email, password: 'another-harbour-72' }),
  ],
  [
    'an address change',
    async (ada) => {
      const to = `new-${ada.email}`
      await ada.call(changeEmail, { email: to })
      await post(await mailedLink(open.shop, to), {}, ada.cookie)
    },
  ],
  [
    'the erasure of the account',
    ({ id }) =>
      inTransaction(open.shop.database.db, async (tx) => {
        await tx
          .updateTable('users')
          .set({ eraseAt: new Date(0) })
          .where('id', '=', id)
          .execute()
        await eraseAccount(tx, id)
      }),
  ],
]

test.each(CHANGES)('%s revokes reset links in its own transaction', async (_, change) => {
  const ada = await open.shop.join()
  const link = await resetLinkOf(ada.email)
  expect((await fetch(link)).status).toBe(200)
  await change(ada)
  expect((await fetch(link)).status).toBe(410)
  expect((await post(link, { password: 'the thief’s own words' })).status).toBe(410)
})

test('an undone address change revokes reset links in its own transaction', async () => {
  const ada = await open.shop.join()
  const to = `thief-of-${ada.email}`
  await ada.call(changeEmail, { email: to })
  await post(await mailedLink(open.shop, to), {}, ada.cookie)
  const undo = await mailedLink(open.shop, ada.email)
  const link = await resetLinkOf(to)
  expect((await post(undo, {})).status).toBe(200)
  expect((await fetch(link)).status).toBe(410)
})

test('a new password revokes the mailed links to sign in', async () => {
  const ada = await open.shop.join()
  await post(`${open.shop.url}/api/login/link`, { email: ada.email })
  const link = await mailedLink(open.shop, ada.email)
  expect((await fetch(link)).status).toBe(200)
  await ada.call(changePassword, { currentPassword: passwordOf(ada), newPassword: NEW })
  expect((await fetch(link)).status).toBe(410)
  expect((await post(link, {})).status).toBe(410)
})
