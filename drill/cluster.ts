import { countAnswers, startLoad, type Tally } from './clusterLoad.ts'
import { missingForDatabase } from './clusterDatabase.ts'
import { BREAKS, type BreakCounts, CLUSTER_PARTS, type ClusterPart } from './clusterParts.ts'
import { type Closing, type ClusterStage, openClusterStage } from './clusterStage.ts'
import { findMissingLetters } from './letters.ts'
import { hasPgbouncer } from './pgbouncer.ts'
import { missingForNginx } from './proxies.ts'
import { comeToRest, countOrders, findViolationsAtRest } from './rest.ts'

// Two nodes behind nginx with TLS, a database with Patroni behind HAProxy and PgBouncer, a bucket and a mail server.
// Each part breaks something under load. After each part, the ledger and all other invariants must hold.

export const missingForCluster = () =>
  [
    { packages: missingForNginx(), instead: 'connections to the nodes take turns, without TLS' },
    {
      packages: missingForDatabase(),
      instead: 'one standby of an own server; no fail-overs, no full disk',
    },
    { packages: hasPgbouncer ? [] : ['pgbouncer'], instead: 'requests reach the database without a pooler' },
  ].filter(({ packages }) => packages.length > 0)

export type ClusterRound = BreakCounts & {
  parts: readonly ClusterPart[]
  shoppers: number
  readers: number
  perSecond: number
}
export type PartResult = {
  part: ClusterPart
  done: string
  tally: Tally
  seconds: number
  violations: string[]
  orders: { completed: number; told: number }
  /** Mails that arrived twice because a node died after it had sent them. Mail programs show such a mail once. */
  lettersTwice: number
}

export async function* runCluster(round: ClusterRound): AsyncGenerator<PartResult> {
  const closing: Closing = [acceptOwnCertificates()]
  try {
    const hasFormer = round.parts.includes('restarts')
    const stage = await openClusterStage({ shoppers: round.shoppers, hasFormer }, closing)
    const answers = countAnswers(stage.publicUrl)
    closing.push(answers.end)
    for (const part of CLUSTER_PARTS.filter((one) => round.parts.includes(one)))
      yield await runPart(part, stage, answers.begin, round)
  } finally {
    for (const close of closing.toReversed()) await Promise.resolve(close()).catch(() => undefined)
  }
}

/** Makes this process trust nginx's self-signed certificate. Returns the undo. */
function acceptOwnCertificates() {
  const former = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  return () => {
    if (former === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = former
  }
}

async function runPart(
  part: ClusterPart,
  stage: ClusterStage,
  beginTally: () => Tally,
  { readers, perSecond, ...counts }: ClusterRound,
): Promise<PartResult> {
  const { world, products, shoppers, nodes, mails } = stage
  const tally = beginTally()
  const startedAt = performance.now()
  const load = startLoad(world, products, shoppers, { readers, perSecond, seed: startedAt })
  let done: string
  try {
    done = await BREAKS[part](stage, counts)
  } finally {
    await load.stop()
  }
  const seconds = (performance.now() - startedAt) / 1000
  // Closes the tally of this part: requests during the recovery are not counted.
  beginTally()
  await comeToRest(world, { seconds: 180 })
  const errors = nodes.takeErrors()
  return {
    part,
    done,
    tally,
    seconds,
    violations: [
      ...(await findViolationsAtRest(world, shoppers)),
      ...(await findMissingLetters(world, mails)),
      ...errors,
    ],
    orders: {
      completed: (await countOrders(world)).completed,
      told: shoppers.reduce((sum, { seen }) => sum + new Set(seen.completed).size, 0),
    },
    lettersTwice: mails.length - new Set(mails).size,
  }
}
