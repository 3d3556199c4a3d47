import { createInterface } from 'node:readline'
import { startEmbedded } from '../src/kit/embedded/embedded.server.ts'

// A process that tests can kill in place of a shop. Starts the database, prints its address, stops when its input ends.

try {
  const { ownerUrl, superuserUrl, pgDir, stop } = await startEmbedded({
    dataDir: process.argv[2]!,
    say: () => {},
    settings: { fsync: 'off' },
  })
  process.stdout.write(`${JSON.stringify({ ownerUrl, superuserUrl, pgDir })}\n`)
  createInterface(process.stdin).on('close', () => void stop().then(() => process.exit(0)))
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failure: (error as Error).message })}\n`)
  process.exit(1)
}
