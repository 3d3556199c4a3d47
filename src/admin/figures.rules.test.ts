import { expect, test } from 'vitest'
import type { ResponseReport } from '../support/inbox/team.contract.ts'
import { figuresOf } from './figures.rules.ts'

const NOTHING: ResponseReport = {
  ...{ days: 30, answers: 0, medianMinutes: null, p90Minutes: null, satisfaction: null, agents: [] },
  assistant: { answers: 0, unsure: 0, helped: 0, notHelped: 0 },
  costs: { chatDollars: '0.00', analyzeDollars: '0.00', explainDollars: '0.00' },
}

test('the page of the assistant shows no figure without a value', () => {
  expect(figuresOf(NOTHING)).toEqual([])
  const assistant = { answers: 12, unsure: 0, helped: 0, notHelped: 1 }
  expect(figuresOf({ ...NOTHING, assistant, costs: { ...NOTHING.costs, analyzeDollars: '0.02' } })).toEqual([
    ['Answers of the assistant', '12, 0 unsure'],
    ['Helped, did not help', '0, 1'],
    ['Cost of AI Analyze', '$0.02'],
  ])
})

test('the page of the assistant shows waits of zero minutes, and each member of staff', () => {
  const agents = [
    { name: 'Nora', answers: 1, medianMinutes: 0, satisfaction: null },
    { name: 'Vera', answers: 2, medianMinutes: 5, satisfaction: 4.5 },
  ]
  const staff = { answers: 3, medianMinutes: 0, p90Minutes: 9, satisfaction: 4.5, agents }
  expect(figuresOf({ ...NOTHING, ...staff })).toEqual([
    ['Answers of staff', '3'],
    ['Median wait for staff', '0 min'],
    ['9 of 10 within', '9 min'],
    ['Satisfaction', '4.5 of 5'],
    ['Nora', '1 answer, median 0 min'],
    ['Vera', '2 answers, median 5 min, 4.5 of 5'],
  ])
})
