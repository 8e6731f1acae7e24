// Made by Training/kanji.py from the names of GeoNames (CC BY 4.0).

/// The usual Japanese readings of Chinese characters in the names of Japanese towns. Without them, `Transliteration` spells the characters
/// by their Mandarin readings, which do not match the Latin names of these towns.
enum KanjiReadings {
  /// The readings of a character at the start of a name or later, the most frequent first.
  static func readings(_ character: Unicode.Scalar, first: Bool) -> [String]? {
    table[character].map { first ? $0.first : $0.later }
  }

  private static let table: [Unicode.Scalar: (first: [String], later: [String])] = {
    let words = readings.split(whereSeparator: \.isWhitespace)
    var table: [Unicode.Scalar: (first: [String], later: [String])] = [:]
    for index in stride(from: 0, to: words.count - 2, by: 3) {
      guard let character = words[index].unicodeScalars.first else { continue }
      let (first, later) = (words[index + 1].split(separator: ","), words[index + 2].split(separator: ","))
      table[character] = (first.map { String($0) }, later.map { String($0) })
    }
    return table
  }()

  private static let readings = """
    一 ichi,hito ichi,hito 七 nana,shichi,san nana,shichi,san 万 ma ma 三 mi,san no,san 上 kami,ue kami,jo,ge
    下 shimo shita,ge,shimo 与 yo,cha yo,cha 世 se se 丘 gaoka gaoka 中 naka naka,chu 串 kushi gushi 丸 maru maru
    丹 tam,ta,tan tan,tam 久 ku ku 之 no no 乙 oto oto 九 ku kyu 亀 kame game 予 yo yo 二 ni,futa ni 五 go go 井 i i
    京 kyo kyo 人 hito neri 仁 ni ni,n 今 ima,na nima 仙 sen sen 代 dai,yo yo,shiro 仲 na naka 伊 i i 伏 fushi bushi,fushi
    会 ai ai 伯 iki iki 住 sumi sumi 佐 sa sa 余 yo yo 來 i,ko i,ko 保 ho bo 修 shu shu 倉 kura kura,ra 元 moto moto
    光 mitsu,ko mitsu,ko 免 men me,men 児 go,ni go,ni 入 iri,iru,nyu iri 內 nai,i nai,i 八 ya,hachi hachi,ya
    六 roku,mui roku,mui 关 noseki noseki 具 gu gu 内 uchi nai,chi,i 冠 mukappu mukappu 出 izu de,ji,shi 函 hako hako
    分 bun,ita,bu bun,ita,bu 刈 kari kari 初 shosa,hatsu shosa,hatsu 別 bep betsu 利 ri ri,shikaga 前 mae mae,zen,saki
    加 ka ka 務 kamiga kamiga 勝 katsu katsu 勢 se se 北 kita,ho kita,hoku 匝 so so 十 to,ju ju 千 chi,se chi,ji 半 han han
    南 minami,nan,na nan,minami 占 shi shi 厚 atsu atsu 原 hara hara,wara 反 tan tan 取 tori tori 口 guchi guchi
    古 furu,ko ko 可 ka ka 台 tai dai 各 ka ka 合 ko i,ri 吉 yoshi,ki yoshi 名 na na 君 kimi kimi 吹 fukia,sui buki,ki
    呂 ro ro 呉 kure kure 周 shu,su shu,su 味 mi mi 和 wa wa,mato 品 shina shina 唄 bai bai 唐 kara kara 善 zen zen 喜 ki ki
    嘉 ka ka 四 shi,yo shi,yo 国 koku,kuni kuni,koku,shi 國 koku kuni 園 sono n 土 to to 地 ji,chi ji,chi 坂 saka,ban saka
    坊 bo bo 垂 taru taru 垣 gaki gaki 城 jo,shiro ki,jo 埼 nzaki nzaki 堀 hori bori 場 ba ba 堺 sakai sakai
    塙 hanawa hanawa 塚 tsuka tsuka,ka,zuka 塩 shio,enza shio 境 sakai sakai 増 mashi masu 壁 kabe kabe 士 shi ji,shi
    夕 yu yu 多 ta ta 大 o o,ya 天 te,ama ama 太 o,tai,da o 央 o o 奈 na na 奥 o o 奧 o o 女 ona me 妙 myo myo 妻 me tsuma
    姫 hime hime 嬉 ureshi ureshi 子 shi,ko,ji shi,ko,ji 孫 bi bi 宇 u u 守 mori mori 安 a,an,yasu an,yasu 宜 gi gi
    宝 takarazu,ho takarazu,ho 室 muro muro 宮 miya nomiya,miya,gu 宿 su,shuku juku,ki 寄 yori yoro,shoro
    富 fu,tomi,to tomi,fu 寒 sa ssamu 寝 ne ne 寺 ji ji 対 tsushi tsushi 寿 su su 射 i i 小 o,ko ko,o
    尻 jiri,kushiri jiri,kushiri 尼 amaga amaga 尾 o o 居 i i 屈 kaga kaga 屋 ya ya 山 yama yama 岐 gi ki,ta 岡 oka oka
    岩 iwa iwa 岳 dake take 岸 kishi gan 島 shima shima,jima 崎 saki saki 嵐 ranza,arashi ranza,arashi 嵩 take take
    嶋 shima shima 川 kawa gawa 州 shu shu 巣 su su 巻 maki maki 市 ichi ichi,shi 布 fu bu,fu,pu 帯 obi obi
    常 to,hi,jo to,hi,jo 幌 horo horo,ro 幡 man,wata,bata man,wata,bata 平 hira bira,daira,he 幸 sat saiwai 広 hiro hiro
    庄 sho jo,sho 府 fu fu,pu,bu 度 do do 座 za za 庭 niwa niwa 廣 hiro hiro 延 nobe nobe,nobu 廿 hatsu hatsu 引 hiki hiki
    弘 hiro hiro 弟 te te 弥 ya ya 張 bari,ri bari,ri 形 gata gata 彦 hiko hiko 後 ko go 御 mi,go,o mi 徳 toku toku
    志 shi shi 恩 on on 恵 e e 愛 ai,e ai,e 成 nari,naru nari 我 a a 戶 do,be do,be 戸 to,he to,nohe 所 tokoro sho,se,jo
    扇 ogi ogi 手 de de 掛 kake kage 摩 ma,n ma,n 敦 tsuru tsuru 敷 shiki shiki 斗 kuto kuto 新 shin,nii,shi ara,shin
    方 kata,ta kata,ta 日 hi,ni ka 早 haya haya 旭 asahi asahi 明 ake ake 春 kasu,haru wara,kasu 昭 aki,sho aki,sho
    是 ze ze 普 fu fu 曲 kuma,magari kuma,magari 曳 biki biki 更 sara sara,tofuke 曽 so so 月 tsuki tsuki 有 ari ari
    朝 asa asa,sasa 木 ki gi 本 hon,moto hon,moto 杉 sugi sugi 村 mura mura 杜 kuto kuto 条 jo jo 来 gi,ko,kuri gi,ko,kuri
    東 higashi,to to,higashi 杵 ki ki 松 matsu matsu 板 ita ita 林 hayashi,rin bayashi,rin 枚 hira hira 枝 e noema
    柄 shigara shigara 柏 kashiwa,kashi kashiwa,kashi 柳 yana yanagi 栃 tochi tochi 栄 sakae sakae 栖 su su
    栗 kuri,ku,rit kuri,ku,rit 根 ne ne 桐 ki giri 桑 kuwa,ko kuwa,ko 桜 sakura sa,sakura 桶 oke oke 梁 yana hashi
    梅 ume ume 條 jo jo 森 mori mori 植 ue ue 楽 gura,raku,ra gura,raku,ra 榎 enokicho enokicho 槻 tsuki tsuki
    標 shibe shibe 横 yoko yoko 樽 taru taru 橋 hashi bashi 橿 kashi kashi 櫻 sakura sakura 次 yoshi yoshi 歌 uta,ka ka
    武 mu,take mu,bu,ppu 歳 tose tose 殿 dono,tem dono,tem 母 baga,mo baga,mo 比 hi bi 気 ke ke 水 mi,mizu,sui mizu
    氷 hi hi 永 naga,ei naga 江 e,go e,mi 池 ike ike,chi 沖 oki oki 沢 zawa zawa 河 kawa,ko,ka ga,kawa 治 ji,bari ji,bari
    沼 numa numa 泉 izumi,sen izumi,sen 泊 domari domari 波 ba ba 洗 arai arai 津 tsu tsu,zu 洲 su su 流 nagare nagare,ru
    浅 asa asa 浜 hama hama 浦 ura ura 浪 nami nami 海 e,kai kai,mi 涌 waku waku 淡 awa awa 深 fuka fuka,bukamachi
    添 soe soe 清 kiyo,shi,sei shi 渋 shibu shibu 渡 to do 温 on on 港 minato minato 湊 minato minato 湖 ko ko
    湯 yu,yuno yu,yuno 湾 wan wan 滑 nameri koname 滝 taki taki 滨 hama hama 潟 kata gata 潮 ita shio 澤 zawa zawa 濃 no no
    濱 hama bama 瀬 se se 烏 karasu karasu 無 nashi,na nashi,na 焼 yai yai 熊 kuma kuma 熱 ata ata 燕 tsubame tsubame
    父 bu bu 片 kata kata 牛 ushi go 牟 mu mu 牧 maki maki,mai 犬 inu inu 狩 kari kari 狭 sa sa 猿 saru saru 玉 tama tama
    王 o nno,o 珠 su su 理 nri nri 琴 koto koto 瑞 mizu mizu 瑳 sa sa 甘 ama ama 生 i,sho ryu,i,nyu 産 ubu ubu 用 yo yo
    田 ta da 由 yu yu 甲 ko,ka ko 男 o o 町 machi cho,machi 留 ru ru 畠 hata hata 畷 nawate nawate 発 ba ba
    登 nobori,to do,nobori 白 shira,shiro,haku shira,jiro 益 masu,mashi masu,mashi 盛 mori mori 目 me me 相 saga,ai,so so
    県 gata gata 真 ma,mo ma 矢 ya ya 知 chi chi 石 ishi ishi 砂 suna sago 砺 to to 碧 heki heki 磐 iwa iwa 磯 iso iso
    神 ko,ka,kami ka,jin,kami 祥 chijo chijo 福 fuku,fu fuku 秋 aki aki 秦 hada hada 秩 chichi chichi 稚 wakka wakka
    稲 ina ina 稻 ina ina 窪 kubo kubo 竃 gama gama 立 tachi,tatsu tachi,ryu,tate 竜 ryu ryu 竹 take,ta take 笠 kasa kasa
    筑 chiku,tsuku chiku,tsuku 箱 hako hako 築 tsui,tsuki tsuki 篠 sasa sasa,shino 米 yone,mai,yona me,mai
    粟 awa,so awa,so 糸 ito ito,shi 紀 ki ki 納 no na,no 紫 shi shi 結 yu yu 網 a a 綾 aya aya 総 so so 縄 nawa nawa 置 oke gi
    羅 ra ra 美 mi,bi mi 羽 ha ba,wa 老 bi,oi bi,oi 能 no no 脇 waki waki 臼 usu usu 興 okop okop 舎 to sha 舘 date date
    舞 mai buki,mai 舟 funa funa 船 funa,fune fune,funa 良 ra ra 芝 shiba shiba 芦 ashi ashi 花 hana bana 芸 ki ki
    若 waka waka 苫 toma toma 茂 mo mo,shige 茅 chi kaya 茨 ibara ibara 茶 cha cha 草 kusa,so kusa 荒 ara ara
    荘 jo,sho jo,sho 菅 suga suge 菊 kiku kiku 菖 sho sho 萌 moi moi 萩 hagi hagi 落 ochia,oto ochia,oto 葉 ha ba
    葛 ka,kuzu kumi 蒲 gama,kan bu 蓬 yomogi yomogi 蓮 hasu hasu 蔵 kura sashi,zo 薩 se se 藏 sashi sashi 藤 fuji to
    蘆 ashi,a ashi,a 蘇 so so 蘭 ran ran 蟹 kani kani 行 gyo,namega,yuku gyo 街 chimata,gai chimata,gai 衡 hira hira
    表 omote omote 袋 fukuro bukuro 裾 suso suso 西 nishi,sai nishi,sai,i 覇 ha ha 見 mi mi 角 kaku zuno 訪 wa wa 諌 isa isa
    諏 su su 諫 isa isa 諸 moro moro 護 go go 谷 ya ya,gaya 豆 zu zu 豊 toyo toyo 豐 toyo toyo 貝 kai kai 賀 ga ga 赤 aka aka
    走 bashiri bashiri 越 o,echi,et goshi,etsu,goe 足 a a,tari 路 ji,ro ji,ro 軽 karu ru 輪 wa wa 辰 tatsu tatsu
    辺 nabe,be nabe,be 込 gome gome 近 o o 通 tsu tsu 造 zukuri zukuri 連 ren ren 進 sshin sshin 道 do do,nomichi 遠 to to
    那 na na 郡 kori,gu gori 部 be,pe be,pe 郷 go,sato go,sato 都 miyakono,tsu tsu,to 酒 saka,shi su 里 sato sato,ri
    野 no no 金 kana,kane gane,kana 釜 kama gama 鈴 suzu suzu 鉾 hoko hoko 銚 cho cho 鎌 kama kama 長 naga naga
    門 kado,mon to,mon 間 ma ma 関 seki noseki,seki 阜 fu,ka fu,ka 阪 han saka 阿 a a 陀 da da 陸 riku,mu tachi,riku
    陽 nyo,yo nyo,yo 隈 guma guma 雄 o o 雨 u u 雲 un mo 霞 ka ka 青 ao ao,to 静 shizu shizu 音 o non 頃 koro koro 須 su su,zo
    頓 ton ton 頭 to gami,zu 飛 fu,hi fu,hi 食 jiki jiki 飯 ii,han i 飾 tsushika tsushika 養 ya ya 館 tate date 香 ka ka
    馬 ma ma,ba 駒 koma koma 騨 da da 高 taka taka 鬼 ki ki 魚 uo,ya i,uo 鯖 saba saba 鰐 wani wani 鳥 to suka 鳩 hato ryuji
    鳴 naru naru 鴨 kamo gamo 鵜 u u 鶴 tsuru zuru,tsuru 鷲 washino wase 鷹 taka taka 鹽 shio shio 鹿 ka ga 麻 aza,o ma
    黒 kuro guro 龍 tatsu,ryuga tatsu,ryuga 龜 kame game
    """
}
