import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sized } from '../drill/profile.ts'
import { startShop } from '../drill/shopProcess.ts'
import { findFreePort } from '../src/kit/serve/port.server.ts'
import { firstOf } from '../src/kit/values/required.ts'
import { medianOf } from './median.ts'
import { residentMb } from './stage.ts'

const STARTS = sized(4, 2)

/** Measures the time from the start of the process to the first page. */
export async function measureStarts() {
  const dataDir = await mkdtemp(join(tmpdir(), 'primo-bench-start-'))
  await chmod(dataDir, 0o755)
  const starts: number[] = []
  let idleMb = 0
  for (let i = 0; i < STARTS; i++) {
    const shop = await startShop(
      await findFreePort(),
      { DATA_DIR: dataDir, NODE_ENV: 'development', LOG_LEVEL: 'warn' },
      { readyPath: '/', patienceMs: 120_000 },
    )
    starts.push(shop.startedInMs)
    if (i === STARTS - 1) {
      await pause(sized(3000, 0))
      idleMb = residentMb(shop.pid)
    }
    // After the first start the shop still seeds the demo store.
    await pause(sized(i === 0 ? 10_000 : 500, 0))
    await shop.stop()
  }
  await rm(dataDir, { recursive: true, force: true })
  return { first: firstOf(starts), second: medianOf(starts.slice(1)), idleMb }
}
