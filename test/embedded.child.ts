import { createInterface } from 'node:readline'
import { startEmbedded } from '../src/kit/embedded/embedded.server.ts'

// A shop's process in little, for tests that kill it: starts the database, says so, stops at the end of its input.

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
