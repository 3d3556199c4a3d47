import { z } from 'zod'
import { type Given, port, whole } from '../kit/config.server.ts'

export const MONITORING_SETTINGS = {
  METRICS_PORT: port.optional().describe('a port of its own for /metrics, a whole number from 0 to 65535'),
  METRICS_TOKEN: z.string().min(16).optional().describe('at least 16 characters; the token that opens /metrics'),
  KEEP_ERRORS_DAYS: whole(1, 3650, 30, 'number of days'),
}

export type MonitoringConfig = ReturnType<typeof resolveMonitoring>

export const resolveMonitoring = (given: Given<typeof MONITORING_SETTINGS>) => ({
  metricsPort: given.METRICS_PORT,
  metricsToken: given.METRICS_TOKEN,
  keepErrorsDays: given.KEEP_ERRORS_DAYS,
})
