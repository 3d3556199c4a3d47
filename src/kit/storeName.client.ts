import { htmlData } from './drawn.client.ts'

export const storeName = (): string => htmlData().storeName ?? 'Primo'
