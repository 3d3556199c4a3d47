import { missingForCluster, runCluster } from './cluster.ts'
import { busyShare, CHECKOUT_SHARE, checkoutShare, countOf, wrongOf } from './clusterLoad.ts'
import { CLUSTER_PARTS } from './clusterParts.ts'
import { isSmallest, type Row, sized } from './profile.ts'

/** Share of requests that may get a 503 during fail-overs. */
const MAX_BUSY = 0.02
const CLUSTER_LOAD = sized({ shoppers: 30, readers: 80, perSecond: 300 }, { shoppers: 2, readers: 2, perSecond: 20 })
/** Share of `perSecond` that the load must reach. Fail-overs are exempt, because clients send less during them. */
const MIN_LOAD = 0.9
const CHECKOUTS_OFF = 0.2

export async function* drillCluster(part?: string): AsyncGenerator<Row> {
  for (const { packages, instead } of missingForCluster()) {
    const names = packages.join(', ')
    console.log(`  SKIPPED: the cluster has no ${names} (apt-get install). Instead: ${instead}.`)
    yield { drill: `cluster: ${names}`, done: 'SKIPPED, not installed', wrong: [], figures: instead }
  }
  const named = part?.split(',') ?? sized(undefined, ['kills'])
  const parts = CLUSTER_PARTS.filter((name) => !named || named.includes(name))
  if (parts.length === 0) throw new Error(`--part: some of ${CLUSTER_PARTS.join(', ')}`)
  const all = { requests: 0, checkouts: 0, seconds: 0, unanswered: 0 }
  const calm = { requests: 0, seconds: 0 }
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  const round = { parts, kills: sized(20, 1), restarts: sized(5, 1), failOvers: sized(3, 1), ...CLUSTER_LOAD }
  for await (const { part, done, tally, seconds, violations, orders, lettersTwice } of runCluster(round)) {
    const [requests, busy, none] = [countOf(tally), busyShare(tally), tally.answers.none ?? 0]
    all.requests += requests
    all.checkouts += tally.checkouts
    all.seconds += seconds
    all.unanswered += none
    if (part !== 'fail-overs') {
      calm.requests += requests
      calm.seconds += seconds
    }
    yield {
      drill: `cluster: ${part}`,
      done,
      wrong: [
        ...violations,
        ...wrongOf(tally).map(([status, count]) => `${count} answers ${status}`),
        ...(part === 'fail-overs' && busy > MAX_BUSY ? [`${percent(busy)} of responses were 503`] : []),
      ],
      figures: `${requests} requests, ${Math.round(requests / seconds)} a second, ${percent(checkoutShare(tally))} checkouts; 503 with Retry-After ${percent(busy)}, no response ${none}; ${orders.completed} orders completed so far, ${orders.told} shown to the client; each receipt arrived, ${lettersTwice} mails twice`,
    }
  }
  const [perSecond, share] = [all.requests / all.seconds, all.checkouts / all.requests]
  const shown = calm.seconds > 0 ? calm : all
  const isLow = !(shown.requests >= MIN_LOAD * CLUSTER_LOAD.perSecond * shown.seconds)
  const says = `${Math.round(perSecond)} requests a second, ${Math.round(shown.requests / shown.seconds)} without the fail-overs, of ${CLUSTER_LOAD.perSecond} wanted, ${percent(share)} checkouts of ${percent(CHECKOUT_SHARE)} wanted`
  const isUneven = Math.abs(share / CHECKOUT_SHARE - 1) > CHECKOUTS_OFF
  yield {
    drill: 'cluster: the load',
    done: `${all.requests} requests in ${Math.round(all.seconds)} s`,
    wrong: !isSmallest && (isLow || isUneven) ? [`the load missed its goal: ${says}`] : [],
    figures: `${says}; ${all.unanswered} without a response`,
  }
}
