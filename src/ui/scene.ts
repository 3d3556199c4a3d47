/** The drawings of empty screens. */
export type Scene = 'receipt' | 'ticket' | 'search' | 'shelf' | 'torn'
