export const texts = {
  plugin_code_mode: "程式碼模式",
  about_code_mode: "代理程式透過隔離執行的小程式呼叫工具。",
  codeModeCells:
    "程式碼模式：本次執行中模型看到的是 exec 和 wait（約 {cost} 個詞元），而不是 {tools} 個工具（約 {direct} 個詞元）。",
  codeModeDirect: "程式碼模式：本次執行中模型直接看到 {tools} 個工具（約 {direct} 個詞元）；exec 和 wait 約需 {cost}。",
  codeModeUnavailable: "程式碼模式已開啟，但其沙箱無法啟動（runtime_unavailable）。未詢問模型。",
};
