import { htmlData } from './drawn.client.ts'

/** The server writes STORE_NAME on the html element. */
export const storeName = (): string => htmlData().storeName ?? 'Primo'
