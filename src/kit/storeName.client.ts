/** The shop's name, a setting of the server that stands on the html element. */
export const storeName = (): string => document.documentElement.dataset.storeName ?? 'Primo'
