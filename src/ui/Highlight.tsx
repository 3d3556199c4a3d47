import { piecesOf } from './highlight.rules.ts'

export const Highlight = ({ text, searched }: { text: string; searched: string }) =>
  piecesOf(text, searched).map(({ text: piece, isMatch }, i) => (isMatch ? <mark key={i}>{piece}</mark> : piece))
