export const texts = {
  plugin_library: "計畫庫",
  about_library: "將每個提交的計畫儲存為檔案，並可全部搜尋。",
  planFileLost_full: "磁碟已滿：此計畫沒有檔案副本。計畫本身已儲存，可以作出決定。",
  planFileLost_read_only: "計畫資料夾無法寫入：此計畫沒有檔案副本。計畫本身已儲存，可以作出決定。",
  planFileLost_refused: "計畫資料夾指向別處：此計畫沒有檔案副本。計畫本身已儲存，可以作出決定。",
  planFileLost_taken: "此標題和日期的檔名均已被使用：此計畫沒有檔案副本。計畫本身已儲存，可以作出決定。",
  planFileLost_unwritable: "磁碟發生錯誤：此計畫沒有檔案副本。計畫本身已儲存，可以作出決定。",
  unitLostTracked: "Git 追蹤 .holdpoint/work 中的檔案，這些檔案絕不會被更動：此計畫在那裡沒有副本。計畫仍會執行。",
  unitLost: "此計畫無法鏡射到 .holdpoint/work（{because}）。計畫仍會執行。",
  workUnitsHere: "此工作區中已核准的計畫",
};
