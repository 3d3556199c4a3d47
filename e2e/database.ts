import pg from 'pg'
import { findRunningEmbedded } from '../src/kit/embedded/embedded.server.ts'

/** Runs SQL on the database of the shop under test, for states that no page produces. */
export async function runSql(text: string, values: unknown[]) {
  const { ownerUrl } = (await findRunningEmbedded(process.env.E2E_DATA_DIR!))!
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(text, values).finally(() => client.end())
}
