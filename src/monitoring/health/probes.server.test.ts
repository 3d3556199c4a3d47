import { expect, test } from 'vitest'
import { setLogLevel } from '../../kit/log/log.server.ts'
import { fail, ok } from '../../kit/health/finding.rules.ts'
import { openProbes } from './probes.server.ts'

setLogLevel('silent')

test('shares one check among requests within two seconds, and caches a good result', async () => {
  let clock = 0
  const looks = { cheap: 0, dear: 0 }
  const probes = openProbes(
    [
      { name: 'cheap', look: () => (looks.cheap++, ok('cheap', 'fine')) },
      { name: 'dear', look: () => (looks.dear++, ok('dear', 'fine')), holdsSeconds: 6 },
    ],
    { now: () => clock },
  )
  await Promise.all([probes.look(), probes.look()])
  clock = 1_900
  await probes.look()
  expect(looks).toEqual({ cheap: 1, dear: 1 })
  clock = 5_000
  await probes.look()
  expect(looks).toEqual({ cheap: 2, dear: 1 })
  clock = 7_100
  await probes.look()
  expect(looks).toEqual({ cheap: 3, dear: 2 })
  probes.stop()
})

test('repeats a failed check each time, so that a fix shows at once', async () => {
  let clock = 0
  let isBroken = true
  const probes = openProbes(
    [
      {
        name: 'mail',
        look: () => (isBroken ? fail('mail', 'away', 'start it') : ok('mail', 'fine')),
        holdsSeconds: 60,
      },
    ],
    { now: () => clock },
  )
  expect((await probes.look())[0]).toMatchObject({ grade: 'fail', says: 'away' })
  isBroken = false
  clock = 2_100
  expect((await probes.look())[0]).toMatchObject({ grade: 'ok' })
  probes.stop()
})

test('fails a part that hangs or throws without delaying the others', async () => {
  const probes = openProbes(
    [
      { name: 'hanging', look: () => new Promise(() => undefined) },
      {
        name: 'throwing',
        look: () => {
          throw new Error('broken')
        },
      },
      { name: 'fine', look: () => ok('fine', 'fine') },
    ],
    { patienceMs: 20 },
  )
  expect((await probes.look()).map(({ grade, says }) => [grade, says])).toEqual([
    ['fail', 'does not answer'],
    ['fail', 'broken'],
    ['ok', 'fine'],
  ])
  expect(probes.seen()).toHaveLength(3)
  probes.stop()
})

test('blames only the part that others depend on', async () => {
  const hangs = () => new Promise<never>(() => undefined)
  let isAway = true
  let clock = 0
  const probes = openProbes(
    [
      { name: 'database', look: () => (isAway ? hangs() : ok('database', 'answers')) },
      { name: 'jobs', look: () => (isAway ? hangs() : fail('jobs', 'late', 'look')), leansOn: 'database' },
      { name: 'mail', look: () => fail('mail', 'away', 'start it') },
    ],
    { now: () => (clock += 3000), patienceMs: 20 },
  )
  const grades = async () => (await probes.look()).map(({ grade, says }) => [grade, says])
  expect(await grades()).toEqual([
    ['fail', 'does not answer'],
    ['warn', 'cannot be seen while the database is away'],
    ['fail', 'away'],
  ])
  isAway = false
  expect(await grades()).toEqual([
    ['ok', 'answers'],
    ['fail', 'late'],
    ['fail', 'away'],
  ])
  probes.stop()
})
