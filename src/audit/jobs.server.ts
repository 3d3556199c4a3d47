import type { Job } from '../kit/jobs.server.ts'
import { checkLedger } from './check.server.ts'
import { type Daily, reconcileReports } from './reports/daily.server.ts'

export const auditJobs = (daily: Daily): Job[] => [
  {
    name: 'check_ledger',
    pool: 'money',
    cron: '17 * * * *',
    run: async () => {
      await checkLedger(daily)
    },
  },
  { name: 'reconcile_reports', pool: 'money', cron: '40 * * * *', run: () => reconcileReports(daily) },
]
