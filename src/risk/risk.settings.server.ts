import { z } from 'zod'
import { type Given, whole } from '../kit/config.server.ts'

export const RISK_SETTINGS = {
  RISK_CHECKS: z
    .enum(['on', 'watch'])
    .default('on')
    .describe('on, or watch: purchases are judged and written down, and none is stopped'),
  KEEP_RISK_DAYS: whole(180, 3650, 400, 'number of days'),
}

export type RiskConfig = ReturnType<typeof resolveRisk>

export const resolveRisk = (given: Given<typeof RISK_SETTINGS>) => ({
  riskChecks: given.RISK_CHECKS,
  keepRiskDays: given.KEEP_RISK_DAYS,
})
