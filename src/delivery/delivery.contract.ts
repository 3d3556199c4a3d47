import * as z from 'zod/mini'
import { CodeGoods } from './codes/codes.contract.ts'
import { CourseGoods } from './courses/courseGoods.contract.ts'
import { FileGoods } from './files/files.contract.ts'
import { LicenseGoods } from './licenses/licenseGoods.contract.ts'

export type Delivery = z.infer<typeof Delivery>
/** The goods of a line. Null before the order is completed and after access is revoked. */
export const Delivery = z.discriminatedUnion('kind', [FileGoods, CodeGoods, LicenseGoods, CourseGoods])
