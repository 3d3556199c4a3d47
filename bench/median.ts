import { required } from '../src/kit/values/required.ts'

export const medianOf = (values: number[]): number =>
  required(values.toSorted((a, b) => a - b)[values.length >> 1], 'the median of no values')
