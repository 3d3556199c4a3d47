import { HelpArticle } from './HelpArticle.tsx'
import { HelpIndex } from './HelpIndex.tsx'
import './help.css'

/** The help centre; `id` is the article in the URL. */
export const HelpPage = ({ id }: { id: string }) => (id ? <HelpArticle key={id} slug={id} /> : <HelpIndex />)
