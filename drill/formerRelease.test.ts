import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFormerRelease } from './formerRelease.ts'
import { openServer } from './postgres.ts'

test('the former release starts and sells on the schema of this release', { timeout: 60_000 }, async ({ skip }) => {
  const former = openFormerRelease('not built')
  if (!former) {
    console.warn('SKIPPED: there is no former release whose schema this one follows')
    return skip()
  }
  onTestFinished(() => former.remove())
  // runs the shop, the sandbox and the shoppers of the former release
  const { openWorld }: typeof import('./world.ts') = await import(join(former.root, 'drill/world.ts'))
  const { createRandom, visit }: typeof import('./shoppers.ts') = await import(join(former.root, 'drill/shoppers.ts'))
  const rest: typeof import('./rest.ts') = await import(join(former.root, 'drill/rest.ts'))
  const server = await openServer()
  onTestFinished(() => server.remove())
  const world = await openWorld(await server.createDatabase('former'))
  onTestFinished(() => world.close())
  const products = [await world.offer({ priceCents: 999 }), await world.offer({ priceCents: 2500, codes: 40 })]
  const shoppers = await world.invite(2, { wallets: 0.3 })
  await world.start()
  // a multipart upload writes rows and then reads them
  const headers = { cookie: shoppers[0]!.cookie, 'content-type': 'application/json', origin: world.url }
  const body = JSON.stringify({ filename: 'a.bin', metadata: { size: '6000000' } })
  const begun = await fetch(`${world.url}/companion/s3/multipart`, { method: 'POST', headers, body })
  const { key, uploadId } = (await begun.json()) as { key: string; uploadId: string }
  expect((await fetch(`${world.url}/companion/s3/multipart/${uploadId}?key=${key}`, { headers })).status).toBe(200)
  for (let round = 0; round < 8; round++) {
    const manners = { random: createRandom(round), tries: 5, pauseMs: 100, patienceMs: 5000 }
    await Promise.all(shoppers.map((shopper) => visit(shopper, world.url, products, manners)))
  }
  await rest.comeToRest(world)
  expect((await rest.countOrders(world)).completed).toBeGreaterThan(0)
  expect(await rest.findViolationsAtRest(world, shoppers)).toEqual([])
  expect(await world.kill()).toEqual([])
})
