import { setTimeout as pause } from 'node:timers/promises'

// Another shopper, in a separate process: reads the product list repeatedly.

export type Reading = { url: string; seconds: number }

async function read({ url, seconds }: Reading): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(10)) {
    const started = performance.now()
    await (await fetch(`${url}/api/products?limit=24&sort=price-asc`)).arrayBuffer()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)
}

process.on('message', (given: Reading) => {
  read(given).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  )
})
process.send?.('ready')
