/** A drawing of an empty screen. */
export type Scene = 'receipt' | 'ticket' | 'search' | 'shelf' | 'torn'
