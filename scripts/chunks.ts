// The table of shared scripts. Without it, what pages share would come in a hundred small files.

export type Chunk = {
  name: string
  /** A module belongs to the chunk if its path contains one of these. */
  paths: string[]
  /** Modules that only dialogs or single pages need, and that would make every page larger. */
  except?: string[]
  /** Fewer scripts than this leave a shared module in a file of its own. */
  minShareCount?: number
}

/** Small modules that nearly every page uses. They load with the first page, so that later pages load little. */
export const FIRST: Chunk = {
  name: 'shop',
  paths: [
    ...['src/ui/Badge', 'src/ui/Ticket', 'src/ui/Note', 'src/ui/Problem', 'src/ui/Pair'],
    ...['src/ui/form/Field', 'src/ui/form/Segment', 'src/ui/form/Switch'],
    ...['src/localisation/usd.rules', 'src/localisation/plural.rules'],
    ...['src/kit/query/useList', 'src/kit/query/useLive', 'src/kit/query/useAlways'],
    ...['query-core/build/modern/mutationObserver', 'react-query/build/modern/useMutation.'],
  ],
}

/** What pages share, after the first load. */
export const SHARED: Chunk[] = [
  {
    // the library of forms comes with the first form, never with a page
    name: 'forms',
    minShareCount: 2,
    paths: ['react-hook-form/', 'src/ui/form/useSavedForm', 'src/ui/form/savedForm'],
  },
  {
    // readers, players, courses and previews: one script, because the first load lists each script
    name: 'opened',
    minShareCount: 2,
    paths: [
      ...['src/delivery/reading/', 'src/delivery/courses/', 'src/catalogue/previews/'],
      ...['src/catalogue/Markdown', 'src/catalogue/markdown'],
    ],
    except: ['/pdf', '/epub', 'FaultState', '/fault', 'openFile', '.rules.', 'reading.contract'],
  },
  { name: 'icons', minShareCount: 3, paths: ['lucide-react/'] },
  {
    name: 'pages',
    minShareCount: 10,
    paths: [
      ...['src/kit/', 'src/ui/', 'src/localisation/', 'src/catalogue/', 'src/cart/', 'src/orders/', 'src/payments/'],
    ],
    // they bring a library, and come when one opens
    except: ['Dialog', 'Toasts'],
  },
]

export const isIn = ({ paths, except = [] }: Chunk, id: string): boolean =>
  paths.some((path) => id.includes(path)) && !except.some((path) => id.includes(path))
