import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openFakeModel, says } from '../../test/model.ts'
import type { Limit } from '../kit/serve/limit.server.ts'
import { openAnalysisModel } from './analysisModel.server.ts'
import { ASSISTANT_SETTINGS, resolveAssistant } from './assistant.settings.server.ts'
import { openModel } from './model.server.ts'

const model = await openFakeModel()
afterAll(model.close)
model.state.answer = says('{}')
const settings = resolveAssistant(z.object(ASSISTANT_SETTINGS).parse(model.settings)).ai!
const question = { task: 'Classify', data: 'Rain at night' }

test('sellers have a daily budget each and share none with staff', async () => {
  const spent: Record<string, number> = {}
  const limiter = {
    take: async (key: string, { count }: Limit) => ((spent[key] ??= 0) < count ? ((spent[key] += 1), 0) : 60),
    giveBack: async (key: string) => void (spent[key]! -= 1),
    forget: async () => undefined,
  }
  let noted = 0
  const ask = openAnalysisModel(settings, limiter, async () => (noted += 1))
  const countAnswers = async (userId: string) => {
    let count = 0
    for (let i = 0; i < 25; i++)
      count += await ask({ ...question, userId }).then(
        () => 1,
        () => 0,
      )
    return count
  }
  expect(await countAnswers('ada')).toBe(20)
  // The shop's hourly budget is spent, and rejected questions are not counted.
  expect(await countAnswers('bob')).toBe(10)
  expect(spent).toEqual({ 'model analysis ada': 20, 'model analysis bob': 10, 'model analysis': 30 })
  expect(noted).toBe(30)
  expect(await openModel(settings, limiter).ask(question)).toBe('{}')
})
