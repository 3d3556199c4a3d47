export type ChatTexts = {
  CHAT_NAME: string
  CHAT_FEATURE: string
  CHAT_FEATURE_ABOUT: string
  CHAT_ANSWERED_BY: string
  CHAT_INTRO: string
}

export const chatTexts = (hasAssistant: boolean): ChatTexts =>
  hasAssistant
    ? {
        CHAT_NAME: 'AI Assistant',
        CHAT_FEATURE: 'AI Chat Support',
        CHAT_FEATURE_ABOUT: 'An assistant that finds help 24/7, backed by real people who read and answer.',
        CHAT_ANSWERED_BY: 'Assistant and people',
        CHAT_INTRO:
          'Sign in to ask about an order, a code, or a product. The assistant answers from the store’s own data, and a person reads what it can’t answer.',
      }
    : {
        CHAT_NAME: 'Support',
        CHAT_FEATURE: 'Chat Support',
        CHAT_FEATURE_ABOUT: 'Real people read what you write and answer.',
        CHAT_ANSWERED_BY: 'People',
        CHAT_INTRO: 'Sign in to ask about an order, a code, or a product. A person reads and answers.',
      }
