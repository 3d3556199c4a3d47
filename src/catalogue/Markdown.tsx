import { readMarkdown, type Words } from './markdown.rules.ts'

/** A seller's description. React escapes all text; links must lead to the web. */
export const Markdown = ({ text }: { text: string }) => (
  <div className="described stack wrap-anywhere">
    {readMarkdown(text).map((block, i) => {
      if (block.kind === 'heading') return <h3 key={i}>{block.words.map(show)}</h3>
      if (block.kind === 'paragraph')
        return (
          <p key={i} className="pre-line">
            {block.words.map(show)}
          </p>
        )
      const List = block.isOrdered ? 'ol' : 'ul'
      return (
        <List key={i}>
          {block.items.map((words, at) => (
            <li key={at}>{words.map(show)}</li>
          ))}
        </List>
      )
    })}
  </div>
)

function show({ text, look: Look, href }: Words, i: number) {
  if (Look) return <Look key={i}>{text}</Look>
  if (!href) return text
  return (
    <a key={i} className="text-link" href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  )
}
