import { expect, test } from 'vitest'
import { isolateRtl } from '../../kit/bidi/isolate.rules.ts'
import type { Overview, WaitingItem } from './overview.contract.ts'
import { centsByDay, figuresOf, followersText, isUntouched, taskOf } from './overview.rules.ts'

const ITEM: WaitingItem = {
  ...{ kind: 'goods', id: '0190b3c2-7f58-7cc3-98c4-dc0c0c07398f', title: 'Night Trains' },
  ...{ at: '2026-11-20T10:00:00Z', until: null, amount: null },
}
const NOTHING: Overview = {
  hasSold: false,
  ...{ today: { sales: 0, net: '0.00' }, incoming: { net: '0.00', first: null }, disputed: { sales: 0, net: '0.00' } },
  ...{ from: '2026-11-20', to: '2026-11-22', days: [], waiting: [], waitingCount: 0, followers: 0 },
}

test.each([
  ['dispute', { amount: '9.50' }, 'A buyer disputes Night Trains', '$9.50 is frozen', `/sales/${ITEM.id}`],
  [
    'dispute',
    { amount: '9.50', until: '2026-11-22T10:00:00Z' },
    'A buyer disputes Night Trains',
    'add facts by Nov 22',
    `/sales/${ITEM.id}`,
  ],
  ['code_case', { until: '2026-11-22T10:00:00Z' }, 'A buyer reports a bad code', 'answer by Nov 22', '/bad-codes'],
  ['question', { until: '2026-11-22T10:00:00Z' }, 'We have a question', 'Nov 22, 2026', `/my-products/${ITEM.id}`],
  ['review', {}, 'A buyer reviewed Night Trains', 'in public', `/my-products/${ITEM.id}`],
  ['message', {}, 'A buyer wrote to you', 'Night Trains', `/sales/${ITEM.id}`],
  ['goods', {}, 'Night Trains is not in the shop', 'no file, code or lesson', `/my-products/${ITEM.id}`],
] as const)('a %s leads to the page that answers it', (kind, change, what, about, href) => {
  const task = taskOf({ ...ITEM, kind, ...change })
  expect(task).toMatchObject({ what, href })
  expect(task.about).toContain(about)
})

test('a title from right to left does not turn the sentence around it', () => {
  expect(taskOf({ ...ITEM, title: 'قهوة' }).what).toBe(`${isolateRtl('قهوة')} is not in the shop`)
})

test('the figures name the first money that comes and what is frozen', () => {
  const incoming = { net: '140.40', first: { at: '2026-11-24T10:00:00Z', net: '36.00' } }
  const figures = figuresOf({ today: { sales: 1, net: '-0.05' }, incoming, disputed: { sales: 2, net: '19.00' } })
  expect(figures.map(({ amount, about }) => [amount, about])).toEqual([
    ['−$0.05', 'Net of 1 sale'],
    ['$140.40', 'First $36.00 on Nov 24, 2026'],
    ['$19.00', '2 disputed sales'],
  ])
  expect(figuresOf(NOTHING).map(({ about }) => about)).toEqual([
    'No sale yet',
    'No sale is on hold',
    'No sale is disputed',
  ])
})

test('days without a sale count as nothing', () => {
  expect(centsByDay({ ...NOTHING, days: [{ day: '2026-11-21', net: '-1.50' }] })).toEqual([0, -150, 0])
})

test('a seller without sales, tasks and followers is untouched', () => {
  expect(isUntouched(NOTHING)).toBe(true)
  expect(isUntouched({ ...NOTHING, waiting: [ITEM], waitingCount: 1 })).toBe(false)
  expect(isUntouched({ ...NOTHING, hasSold: true })).toBe(false)
  expect(isUntouched({ ...NOTHING, followers: 1 })).toBe(false)
})

test.each([
  [0, 'Nobody follows you yet. Members follow you on your page.'],
  [1, '1 member follows you. We notify them when you publish something new.'],
  [1204, '1,204 members follow you. We notify them when you publish something new.'],
])('describes %i followers', (followers, text) => {
  expect(followersText(followers)).toBe(text)
})
