import { PREFIX } from './key.rules.ts'
import { type LicenseTerms, MAX_DAYS, MAX_DEVICES } from './soldLicenses.contract.ts'

export type TypedTerms = { prefix: string; devices: string; days: string }

export const typedOf = ({ prefix, devicesPerSeat, validDays }: LicenseTerms): TypedTerms => ({
  ...{ prefix, devices: String(devicesPerSeat), days: validDays === null ? '' : String(validDays) },
})

const isWhole = (text: string, most: number) => /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most

export const problemsOf = ({ prefix, devices, days }: TypedTerms): Partial<TypedTerms> => ({
  ...(!PREFIX.test(prefix) && { prefix: 'Use 2 to 8 letters from A to Z' }),
  ...(!isWhole(devices, MAX_DEVICES) && { devices: `Use a whole number from 1 to ${MAX_DEVICES}` }),
  ...(days.trim() !== '' &&
    !isWhole(days, MAX_DAYS) && { days: `Use whole days, at most ${MAX_DAYS}, or leave it empty` }),
})

export const readTerms = ({ prefix, devices, days }: TypedTerms): LicenseTerms => ({
  ...{ prefix, devicesPerSeat: Number(devices), validDays: days.trim() === '' ? null : Number(days) },
})
