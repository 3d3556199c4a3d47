import { isEmptyWord, tokensOf } from './words.rules.ts'

// The local assistant reads only English. It answers other languages with a polite sentence in that language.

type Language = { words: string; answer: string }

const LANGUAGES: Record<string, Language> = {
  German: {
    words: `ich du er sie wir ihr ist sind habe haben hast kann kannst konnen mochte will wie wo wann warum welche welcher welches wer
      wieviel mein meine meinen meiner dein deine das der dem ein eine einen einem und oder aber nicht kein keine mit fur auf aus bei nach von
      zu zum zur zuruck geld bestellung bestellt kaufen kostet gibt suche brauche bekomme hallo danke bitte guten hilfe auch noch mir mich`,
    answer:
      'Ich verstehe leider nur Englisch. Auf Englisch helfe ich bei Produkten, Bestellungen und Fragen zum Shop; sonst antwortet ein Mensch.',
  },
  French: {
    words: `je tu il elle nous vous ils est sont suis ai avez avons peux peut puis comment ou quand pourquoi quel quelle quels quelles combien mon ma
      mes votre vos le la les un une des du et mais pas ne avec sur dans bonjour salut merci commande commander remboursement acheter coute
      cherche voudrais veux besoin aide oui que qui ce cette`,
    answer:
      'Je ne comprends que l’anglais, désolé. En anglais, je vous aide pour les produits, les commandes et la boutique ; sinon une personne répond.',
  },
  Spanish: {
    words: `yo tu el ella nosotros es son soy esta estan tengo tiene tienen puedo puede como donde cuando cual cuales cuanto cuanta cuesta mi mis su
      sus los las un una unos y pero no para por en del al hola gracias pedido pedidos reembolso comprar busco quiero necesito ayuda que
      quien buenos dias algo`,
    answer:
      'Lo siento, solo entiendo inglés. En inglés ayudo con productos, pedidos y la tienda; si no, responde una persona.',
  },
  Italian: {
    words: `io tu lui lei noi voi sono hai avete ho posso puo dove quando perche quale quali quanto costa mio mia miei tuo il lo gli le un una
      ma non nel del della ciao grazie ordine ordini rimborso comprare cerco vorrei voglio aiuto che chi buongiorno`,
    answer:
      'Mi dispiace, capisco solo l’inglese. In inglese aiuto con prodotti, ordini e negozio; altrimenti risponde una persona.',
  },
  Portuguese: {
    words: `eu tu ele ela nos voce voces sou estou tenho tem posso pode como onde quando porque qual quais quanto custa meu minha meus seu sua
      um uma mas nao com para por em da ola obrigado obrigada pedido pedidos reembolso comprar procuro quero preciso ajuda que quem`,
    answer:
      'Desculpe, só entendo inglês. Em inglês ajudo com produtos, pedidos e a loja; caso contrário, responde uma pessoa.',
  },
  Dutch: {
    words: `ik jij hij zij wij jullie ben bent heb hebt hebben kan kunnen hoe waar wanneer waarom welke hoeveel mijn jouw het een en maar niet geen met
      voor op bij naar van terug geld bestelling kopen kost zoek wil graag hallo dank bedankt hulp wie ook nog`,
    answer:
      'Sorry, ik begrijp alleen Engels. In het Engels help ik met producten, bestellingen en de winkel; anders antwoordt een mens.',
  },
}
const WORDS = Object.entries(LANGUAGES).map(([name, { words }]) => ({ name, words: new Set(words.split(/\s+/)) }))
const LETTERS = /\p{L}/gu
const LATIN = /\p{Script=Latin}/gu
const MIN_SHARE = 0.4
/** Words that can be a whole message. */
const ALONE = new Set(
  'hallo danke hilfe bonjour salut merci hola gracias ayuda ciao grazie aiuto ola obrigado obrigada bedankt'.split(' '),
)

/** Returns an answer in the language of the question; null for English. Ignores words of products, such as titles. */
export function otherLanguage(typed: string, known: ReadonlySet<string>): string | null {
  const letters = typed.match(LETTERS)?.length ?? 0
  if (letters > 1 && (typed.match(LATIN)?.length ?? 0) < letters / 2) return ''
  const said = tokensOf(typed).filter((word) => /\p{L}/u.test(word))
  const found = WORDS.map(({ name, words }) => ({
    name,
    count: said.filter((word) => words.has(word) && !known.has(word)).length,
  })).toSorted((a, b) => b.count - a.count)[0]!
  const english = said.filter((word) => isEmptyWord(word)).length
  const isOther = found.count > english && found.count >= said.length * MIN_SHARE
  return isOther && (found.count > 1 || (said.length === 1 && ALONE.has(said[0]!)))
    ? LANGUAGES[found.name]!.answer
    : null
}
