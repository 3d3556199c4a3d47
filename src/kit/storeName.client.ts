/** The server writes STORE_NAME on the html element. */
export const storeName = (): string => document.documentElement.dataset.storeName ?? 'Primo'
