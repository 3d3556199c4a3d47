import { z } from 'zod'
import { type Given, whole } from '../kit/config.server.ts'

export const UPLOADS_SETTINGS = {
  MAX_DIGITAL_FILE_MB: whole(1, 5000, 100, 'number of megabytes'),
  CLAMD: z
    .string()
    .regex(/^(\[[0-9a-f:]+\]|[\w.-]+):\d{1,5}$/i)
    .optional()
    .describe('the address of a ClamAV daemon, such as 127.0.0.1:3310'),
}

export type UploadsConfig = ReturnType<typeof resolveUploads>

export const resolveUploads = (given: Given<typeof UPLOADS_SETTINGS>) => ({
  maxFileBytes: given.MAX_DIGITAL_FILE_MB * 1024 * 1024,
  clamd: given.CLAMD,
})
