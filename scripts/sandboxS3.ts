import { resolve } from 'node:path'
import { startS3 } from '../sandbox/s3/server.ts'

// `npm run sandbox:s3 -- <folder> [port]` starts a local S3 store. It loses its files when it stops.

const [folder, port = '9000'] = process.argv.slice(2)
if (!folder) {
  process.stderr.write('Usage: npm run sandbox:s3 -- <folder> [port]\n')
  process.exit(1)
}
const keys = { key: 'trial', secret: 'a-secret-for-trials', region: 'us-east-1' }
const store = await startS3({ folder: resolve(folder), port: Number(port), keys })
process.stdout.write(
  `S3_ENDPOINT=${store.endpoint}\nS3_BUCKET=${store.bucket}\nS3_KEY=${keys.key}\nS3_SECRET=${keys.secret}\n`,
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void store.stop())
