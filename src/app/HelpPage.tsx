import { HelpArticle } from '../assistant/HelpArticle.tsx'
import { HelpIndex } from '../assistant/HelpIndex.tsx'
import '../assistant/help.css'

/** The help centre; `id` is the article in the address. */
export const HelpPage = ({ id }: { id: string }) => (id ? <HelpArticle key={id} slug={id} /> : <HelpIndex />)
