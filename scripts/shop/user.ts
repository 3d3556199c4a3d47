import { randomBytes } from 'node:crypto'
import { putUser } from '../../src/identity/accounts/account.store.server.ts'
import { tidyEmail } from '../../src/identity/accounts/email.rules.ts'
import { recordAct } from '../../src/identity/audit/audit.server.ts'
import { removeSecondFactor } from '../../src/identity/second-factor/secondFactor.store.server.ts'
import { type Db, inTransaction } from '../../src/kit/database.server.ts'
import { ROLES } from '../../src/kit/contract.ts'
import { Failure } from '../../src/kit/failure.ts'
import { command, type Terminal } from './command.ts'
import { openAccounts, withDatabase } from './connection.ts'

const PAGE = 1000

const passwordOption = { 'password-stdin': { type: 'boolean' } } as const

export const userCommands = [
  command({
    name: 'user add',
    usage: `<email> [--admin | --role ${ROLES.join('|')}] [--first-name X] [--last-name Y] [--password-stdin]`,
    places: 1,
    about: 'Creates an account; without --password-stdin it generates a password and shows it once',
    options: {
      admin: { type: 'boolean', default: false },
      role: { type: 'string' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
      ...passwordOption,
    },
    run: async (terminal, values, [address = '']) => {
      const email = tidyEmail(address)
      const role = values.role === undefined ? undefined : readRole('--role', values.role)
      if (role && values.admin) throw new Failure(400, 'Give --admin or --role, not both.')
      const password = await choosePassword(terminal, values['password-stdin'])
      await withDatabase(terminal.readConfig(), async ({ db }) => {
        if (await findUser(db, email))
          throw new Failure(409, `${email} has an account already. See: user password, user role.`)
        await putUser(db, {
          email,
          password: password.text,
          firstName: values['first-name'],
          lastName: values['last-name'],
          role: role ?? (values.admin ? 'admin' : 'member'),
        })
        terminal.print(`Added ${email}${values.admin ? ' as an admin' : role ? ` with the role ${role}` : ''}.`)
        password.show()
      })
    },
  }),

  command({
    name: 'user list',
    about: 'Lists all accounts: address, role, name, day of sign-up',
    run: (terminal) => withDatabase(terminal.readConfig(), ({ db }) => listUsers(terminal, db)),
  }),

  command({
    name: 'user role',
    usage: `<email> <${ROLES.join('|')}>`,
    places: 2,
    about: 'Sets what an account may do, ends what its former role granted and signs it out everywhere',
    run: (terminal, _, [address = '', word = '']) =>
      withDatabase(terminal.readConfig(), async ({ db }) => {
        const role = readRole('<role>', word)
        const user = await needUser(db, address)
        if (user.role === role) return terminal.print(`${user.email} has the role ${role} already.`)
        await putUser(db, { email: user.email, role })
        terminal.print(`${user.email} has the role ${role} now and has to sign in again.`)
      }),
  }),

  command({
    name: 'user password',
    usage: '<email> [--password-stdin]',
    places: 1,
    about: 'Sets a new password and signs the account out everywhere',
    options: passwordOption,
    run: async (terminal, values, [address = '']) => {
      const password = await choosePassword(terminal, values['password-stdin'])
      await withDatabase(terminal.readConfig(), async ({ db }) => {
        const { email } = await needUser(db, address)
        await putUser(db, { email, password: password.text })
        terminal.print(`${email} has a new password and is signed out everywhere.`)
        password.show()
      })
    },
  }),

  command({
    name: 'user second-factor-off',
    usage: '<email>',
    places: 1,
    about: 'Turns two-factor sign-in off for an owner who lost phone and recovery codes',
    run: (terminal, _, [address = '']) =>
      withDatabase(terminal.readConfig(), async ({ db }) => {
        const { id, email } = await needUser(db, address)
        const wasOn = await inTransaction(db, async (tx) => {
          const removed = await removeSecondFactor(tx, id)
          if (removed) await recordAct(tx, { actorId: null, act: 'account.factor_off', subjectId: id })
          return removed
        })
        terminal.print(wasOn ? `${email} signs in with the password alone.` : `${email} has no second factor.`)
      }),
  }),

  command({
    name: 'session',
    usage: '<email>',
    places: 1,
    about: 'Signs an account in and prints the value of a Cookie: header',
    run: async (terminal, _, [address = '']) => {
      const config = terminal.readConfig()
      await withDatabase(config, async (database) => {
        const { createSession } = await openAccounts(config, database)
        const cookie = await createSession(address)
        await inTransaction(database.db, async (tx) => {
          const { id } = await needUser(tx, address)
          await recordAct(tx, { actorId: null, act: 'account.session', subjectId: id })
        })
        terminal.print(cookie)
      })
    },
  }),
]

function readRole(place: string, word: string) {
  const role = ROLES.find((one) => one === word)
  if (!role) throw new Failure(400, `${place}: give ${ROLES.join(', ')}.`)
  return role
}

async function listUsers(terminal: Terminal, db: Db) {
  for (let after = ''; ;) {
    const page = await db
      .selectFrom('users')
      .select(['email', 'role', 'name', 'createdAt', 'emailVerified'])
      .where('email', '>', after)
      .orderBy('email')
      .limit(PAGE)
      .execute()
    for (const { email, role, name, createdAt, emailVerified } of page) {
      const day = createdAt.toISOString().slice(0, 10)
      const note = emailVerified ? '' : '(not confirmed)'
      terminal.print([email.padEnd(36), role.padEnd(7), day, name, note].join('  ').trim())
    }
    const last = page.at(-1)
    if (page.length < PAGE || !last) return
    after = last.email
  }
}

const findUser = (db: Db, email: string) =>
  db.selectFrom('users').select(['id', 'email', 'role']).where('email', '=', tidyEmail(email)).executeTakeFirst()

export async function needUser(db: Db, email: string) {
  const user = await findUser(db, email)
  if (!user) throw new Failure(404, `There is no account for ${email}.`)
  return user
}

async function choosePassword(terminal: Terminal, isGiven: boolean | undefined) {
  const text = isGiven ? (await terminal.readInput()).replace(/\r?\n$/, '') : randomBytes(15).toString('base64url')
  const show = () => isGiven || terminal.print(`Password: ${text}   (shown this once)`)
  return { text, show }
}
