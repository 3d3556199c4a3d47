declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string)
    /** Returns the next place where a line may or must end. */
    nextBreak(): { position: number; required: boolean } | null
  }
}
