export type Aspect = 'find' | 'price' | 'stock' | 'compare' | 'seller' | 'rating' | 'about' | 'similar' | 'range'

const ASPECTS: [RegExp, Aspect][] = [
  [
    /\b(?:compare|comparison|difference|differ|versus|vs|(?:cheaper|better|nicer) of (?:the |these |those )?(?:two|both|three|them|these|those)|which (?:one )?is (?:cheaper|better))\b/i,
    'compare',
  ],
  [
    /\b(?:similar|alternatives?|(?:others?|more|ones?|something|anything) like (?:it|this|that|them)|like this|like it)\b/i,
    'similar',
  ],
  [
    /\b(?:how much (?:is|are|does|do|for)|price of|the price|whats the price|cost of|costs?\b|how expensive)|^(?:and )?how much\W*$/i,
    'price',
  ],
  [/\b(?:in stock|available|sold out|how many\b.*\bleft|left in|any left|out of stock|stock)\b/i, 'stock'],
  [
    /\bwho (?:sells|sold|made|makes|wrote|writes|teaches|recorded|created|published|drew|is (?:the|its) (?:seller|author|writer|teacher|maker|artist|creator|speaker|publisher))\b|\b(?:seller of|sold by|written by|made by)\b/i,
    'seller',
  ],
  [/\b(?:other people|reviews?|rated|ratings?|stars|any good|is it good|worth it|opinions?)\b/i, 'rating'],
  [
    /\b(?:tell me (?:more )?about|what (?:exactly |actually )?(?:is|are)|describe|details|more about|whats in)\b/i,
    'about',
  ],
]
export const readAspect = (text: string): Aspect => ASPECTS.find(([words]) => words.test(text))?.[1] ?? 'find'
