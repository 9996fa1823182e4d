export const parts = {
  close: "Закрити",
  copy: "Копіювати",
  copied: "Скопійовано",
  copyFailed: "Копіювання тут не дозволене",
  diagram: "Діаграма",
  source: "Джерело",
  dismiss: "Сховати",
  timeIsUp: "час вийшов",
} as const;
